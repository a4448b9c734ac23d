// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import java.io.File;
import java.io.IOException;

/** The upload of the example. args: folder, server. */
public final class SendsAll {
  private SendsAll() {}

  public static void main(String[] args) throws IOException {
    System.out.println(Upload.sendAll(new File(args[0]), args[1]));
  }
}
