// SPDX-License-Identifier: Apache-2.0
// What eslint refuses in the report page; layout is prettier's.
import tseslint from "typescript-eslint";

export default tseslint.config(...tseslint.configs.recommendedTypeChecked, {
  languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
  rules: {
    "@typescript-eslint/method-signature-style": "error",
    // noUncheckedIndexedAccess is meant to be answered with "!" where an index is known to be in range.
    "@typescript-eslint/no-non-null-assertion": "off",
    "@typescript-eslint/switch-exhaustiveness-check": "error",
    eqeqeq: "error",
  },
});
