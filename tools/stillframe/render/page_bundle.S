// SPDX-License-Identifier: Apache-2.0
// The report page's script and style from the bundle's folder, and the document on verdicts. They
// exceed the length limit of C++ string constants.
    .section .rodata
    .global stillframe_page_script
    .global stillframe_page_script_end
    .global stillframe_page_style
    .global stillframe_page_style_end
    .global stillframe_verdicts
    .global stillframe_verdicts_end
stillframe_page_script:
    .incbin STILLFRAME_PAGE_SCRIPT
stillframe_page_script_end:
stillframe_page_style:
    .incbin STILLFRAME_PAGE_STYLE
stillframe_page_style_end:
stillframe_verdicts:
    .incbin STILLFRAME_VERDICTS
stillframe_verdicts_end:
    .section .note.GNU-stack, "", %progbits
