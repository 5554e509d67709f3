import { expect, test } from '@jest/globals';
import { readConfig } from './config.js';

test.each([
  ['proxy.test:3128', 'http://proxy.test:3128'],
  ['https://proxy.test', 'https://proxy.test'],
  ['socks5://me:secret@proxy.test', 'socks5://me:secret@proxy.test'],
  ['socks5h://proxy.test:9050', 'socks5h://proxy.test:9050'],
  ['socks://127.0.0.1:1080/', 'socks://127.0.0.1:1080/'],
])('the address of a proxy may be %s', (given, read) => {
  const { httpsProxy, httpProxy, allProxy } = readConfig(
    {},
    { HTTPS_PROXY: given, http_proxy: given, ALL_PROXY: given },
  );
  expect({ httpsProxy, httpProxy, allProxy }).toEqual({ httpsProxy: read, httpProxy: read, allProxy: read });
});

test.each(['socks4://proxy.test', 'ftp://proxy.test', 'http://'])('a proxy at %s is refused', (given) => {
  expect(() => readConfig({}, { HTTPS_PROXY: given })).toThrow('HTTPS_PROXY');
});
