/** What Chromium adds to `Host` and `Authorization` when a page of the same origin calls `fetch`. */
export const BROWSER_HEADERS = [
  'Connection: keep-alive',
  'sec-ch-ua-platform: "Linux"',
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Accept: application/json',
  'sec-ch-ua: "Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
  'sec-ch-ua-mobile: ?0',
  'Sec-Fetch-Site: same-origin',
  'Sec-Fetch-Mode: cors',
  'Sec-Fetch-Dest: empty',
  'Referer: http://127.0.0.1/',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Accept-Language: en-GB,en-US;q=0.9,en;q=0.8',
  'Cookie: theme=light; visits=17',
] as const;
