// SPDX-License-Identifier: Apache-2.0
// Rules of eslint for the report page. Layout is left to prettier.
import tseslint from "typescript-eslint";

export default tseslint.config(...tseslint.configs.recommendedTypeChecked, {
  languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
  rules: {
    "@typescript-eslint/method-signature-style": "error",
    // With noUncheckedIndexedAccess, "!" is allowed where an index is known to be in range.
    "@typescript-eslint/no-non-null-assertion": "off",
    "@typescript-eslint/switch-exhaustiveness-check": "error",
    eqeqeq: "error",
  },
});
