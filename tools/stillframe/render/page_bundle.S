// SPDX-License-Identifier: Apache-2.0
// The report page's script and style, as they are in the bundle's folder, and what the document says of verdicts. A string constant of C++ may not
// be that long.
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
