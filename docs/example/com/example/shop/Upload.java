// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.util.zip.CRC32;

/** Sends the records and sessions of a folder by PUT. docs/nginx.conf receives them. */
final class Upload {
  private static final int TIMEOUT_MS = 10_000;

  private Upload() {}

  /**
   * Sends what is new. A file that was sent is renamed from .json to .sent; the library removes it later.
   *
   * @param server ends with a slash
   * @return false if the server refused a file: try again later
   */
  static boolean sendAll(File folder, String server) throws IOException {
    File[] records =
        folder.listFiles((in, name) -> name.startsWith("stillframe-") && name.endsWith(".json"));
    if (records == null) return true;
    for (File record : records) {
      long written = record.lastModified();
      byte[] bytes = Files.readAllBytes(record.toPath());
      CRC32 sum = new CRC32();
      sum.update(bytes);
      int status = put(new URL(server + Long.toHexString(sum.getValue()) + "-" + record.getName()), bytes);
      boolean isThere = status == HttpURLConnection.HTTP_CREATED || status == HttpURLConnection.HTTP_CONFLICT;
      if (!isThere) return false;
      if (record.lastModified() == written) { // not written again meanwhile
        record.renameTo(new File(record.getPath().replace(".json", ".sent")));
      }
    }
    return true;
  }

  private static int put(URL url, byte[] bytes) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    try {
      connection.setRequestMethod("PUT");
      connection.setConnectTimeout(TIMEOUT_MS);
      connection.setReadTimeout(TIMEOUT_MS);
      connection.setDoOutput(true);
      connection.setFixedLengthStreamingMode(bytes.length);
      try (OutputStream body = connection.getOutputStream()) {
        body.write(bytes);
      }
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }
}
