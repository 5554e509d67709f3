import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { ggufBytes, largeGgufBytes } from '../../../test/gguf-bytes.js';
import { openTestLibrary, pullWith } from '../../../test/open-test-library.js';
import { selfSignedCertificate } from '../../../test/self-signed-certificate.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { startTestProxy } from '../../../test/test-proxy.js';
import { startTestRegistry, type TestRegistryOptions } from '../../../test/test-registry.js';
import { closeAfterEach, startTestServer } from '../../../test/test-server.js';
import { startTestSocksProxy } from '../../../test/test-socks-proxy.js';
import type { ModelLibraryOptions } from '../open-model-library.js';

jest.setTimeout(60_000);

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const certificate = selfSignedCertificate('models.test');
const trust = { transfer: { trustedCertificates: certificate.certificate } };
const model = largeGgufBytes(6);

async function arrange(options: TestRegistryOptions, library: Partial<ModelLibraryOptions> = {}) {
  const registry = closeLater(await startTestRegistry(options));
  registry.add('team/tiny:1b', { model, config: '{}' });
  const shownName = `${registry.host}/team/tiny:1b`;
  const opened = closeLater(openTestLibrary(await newFolder(), library));
  return { registry, shownName, library: opened, name: `${registry.url}/team/tiny:1b` };
}

test('over TLS, a token stays with the registry when it redirects to storage on another host', async () => {
  const options = { certificate, redirectBlobs: true, requireToken: true };
  const { registry, library, name, shownName } = await arrange(options, trust);
  await pullWith(library, name, { insecure: false });
  expect(await library.catalogue.find(shownName)).toBeDefined();
  expect(registry.requests.some((one) => one.headers.authorization?.startsWith('Bearer '))).toBe(true);
  expect(registry.storage?.requests.length).toBeGreaterThan(1);
  for (const one of registry.storage?.requests ?? []) expect(one.headers.authorization).toBeUndefined();
});

test('a redirect from https to plain http is refused, and the plain host hears nothing', async () => {
  const options = { certificate, redirectBlobs: true, plainStorage: true };
  const { registry, library, name } = await arrange(options, trust);
  await expect(pullWith(library, name, { insecure: false })).rejects.toMatchObject({
    code: 'upstream-failed',
    message: expect.stringContaining('redirects to plain http'),
  });
  expect(registry.storage?.requests).toEqual([]);
  await pullWith(library, name, { insecure: true });
  expect(registry.storage?.requests.length).toBeGreaterThan(0);
});

test('a certificate that nobody vouches for ends the pull before anything is asked', async () => {
  const { registry, library, name } = await arrange({ certificate });
  await expect(pullWith(library, name, { insecure: true })).rejects.toMatchObject({
    code: 'upstream-failed',
  });
  expect(registry.requests).toEqual([]);
});

test.each([
  ['https', certificate],
  ['http', undefined],
] as const)('%s hosts are reached through the proxy, which alone knows them', async (scheme, own) => {
  const registry = closeLater(await startTestRegistry(own ? { certificate: own } : {}));
  registry.add('team/tiny:1b', { model, config: '{}' });
  const proxy = closeLater(await startTestProxy({ 'models.test': registry.host }, 'me:secret'));
  const address = `http://me:secret@${proxy.host}`;
  const settings = { http: address, https: address, direct: ['other.test'] };
  const library = closeLater(openTestLibrary(await newFolder(), { ...trust, proxies: settings }));
  await pullWith(library, `${scheme}://models.test/team/tiny:1b`);
  expect(await library.catalogue.find('models.test/team/tiny:1b')).toBeDefined();
  expect(proxy.seen.length).toBeGreaterThan(0);
  const asked = scheme === 'https' ? /^CONNECT models\.test:443$/ : /^GET http:\/\/models\.test\/v2\//;
  for (const one of proxy.seen) expect(one).toMatch(asked);
  for (const one of registry.requests) expect(one.headers['proxy-authorization']).toBeUndefined();
});

test.each([
  ['https', 'socks5', certificate],
  ['https', 'socks5h', certificate],
  ['https', 'socks', certificate],
  ['http', 'socks5', undefined],
] as const)('%s hosts are reached through a %s proxy, by their names', async (scheme, kind, own) => {
  const registry = closeLater(await startTestRegistry(own ? { certificate: own } : {}));
  registry.add('team/tiny:1b', { model, config: '{}' });
  const login = 'me:50% of it';
  const proxy = closeLater(await startTestSocksProxy({ 'models.test': registry.host }, { login }));
  const settings = { all: `${kind}://me:50%25%20of%20it@${proxy.host}`, direct: [] };
  const library = closeLater(openTestLibrary(await newFolder(), { ...trust, proxies: settings }));
  await pullWith(library, `${scheme}://models.test/team/tiny:1b`);
  expect(await library.catalogue.find('models.test/team/tiny:1b')).toBeDefined();
  expect(new Set(proxy.seen)).toEqual(new Set([`models.test:${own ? 443 : 80}`]));
  for (const one of registry.requests) expect(one.path).toMatch(/^\/v2\//);
});

test.each([
  ['that cannot reach a host', {}, 'me:secret', 'cannot reach models.test: the host cannot be reached'],
  ['whose rules forbid a host', { refusal: 2 }, 'me:secret', 'its rules do not allow it'],
  ['that refuses the login', { login: 'me:other' }, 'me:secret', 'it does not accept the login'],
  ['that wants a login', { login: 'me:other' }, '', 'it wants a login of another kind'],
])('a SOCKS proxy %s is named with the reason, without its password', async (_, options, login, reason) => {
  const proxy = closeLater(await startTestSocksProxy({}, options));
  const settings = { https: `socks5://${login}@${proxy.host}`, direct: [] };
  const library = closeLater(openTestLibrary(await newFolder(), { proxies: settings }));
  const refused = pullWith(library, 'https://models.test/team/tiny:1b');
  await expect(refused).rejects.toMatchObject({ code: 'upstream-failed' });
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(proxy.host) });
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(reason) });
  await expect(refused).rejects.toMatchObject({ message: expect.not.stringContaining('secret') });
});

test.each([
  ['answers nothing', '', 'it does not answer'],
  ['hangs up', 'end', 'it hung up'],
  ['is a web server', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'it does not speak SOCKS5'],
])('a SOCKS proxy that %s is given up', async (_, answer, reason) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).resume());
    if (answer !== '') socket.end(answer === 'end' ? '' : answer);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closeLater({
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
  const { port } = server.address() as AddressInfo;
  const settings = { https: `socks5://127.0.0.1:${port}`, direct: [] };
  const library = closeLater(
    openTestLibrary(await newFolder(), { proxies: settings, transfer: { stallMs: 300 } }),
  );
  await expect(pullWith(library, 'https://models.test/team/tiny:1b')).rejects.toMatchObject({
    message: expect.stringContaining(`cannot use the proxy 127.0.0.1:${port}: ${reason}`),
  });
});

test('a host on the list of direct ones is not looked for behind the proxy', async () => {
  const proxy = closeLater(await startTestProxy({}));
  const settings = { https: `http://${proxy.host}`, direct: ['.test'] };
  const library = closeLater(openTestLibrary(await newFolder(), { proxies: settings }));
  await expect(pullWith(library, 'https://models.test/team/tiny:1b')).rejects.toMatchObject({
    message: expect.stringContaining('models.test'),
  });
  expect(proxy.seen).toEqual([]);
});

test('a proxy that refuses is named, without its password', async () => {
  const proxy = closeLater(await startTestProxy({}, 'me:secret'));
  const settings = { https: `http://me:wrong-secret@${proxy.host}`, direct: [] };
  const library = closeLater(openTestLibrary(await newFolder(), { proxies: settings }));
  const refused = pullWith(library, 'https://models.test/team/tiny:1b');
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(proxy.host) });
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('407') });
  await expect(refused).rejects.toMatchObject({ message: expect.not.stringContaining('wrong-secret') });
});

test('a password with a sign that encodes nothing reaches the proxy as it stands', async () => {
  const registry = closeLater(await startTestRegistry());
  registry.add('team/tiny:1b', { model: ggufBytes(), config: '{}' });
  const proxy = closeLater(await startTestProxy({ 'models.test': registry.host }, 'me:50%'));
  const settings = { http: `http://me:50%@${proxy.host}`, direct: [] };
  const library = closeLater(openTestLibrary(await newFolder(), { proxies: settings }));
  await pullWith(library, 'http://models.test/team/tiny:1b');
  expect(await library.catalogue.find('models.test/team/tiny:1b')).toBeDefined();
});

test.each(['pull', 'push'] as const)(
  'a %s from a server that names an address which is none says so',
  async (way) => {
    const server = closeLater(
      await startTestServer((request, response) => {
        request.resume();
        const status = request.method === 'POST' ? 202 : request.method === 'HEAD' ? 404 : 307;
        response.writeHead(status, { location: 'http://[' }).end();
      }),
    );
    const library = closeLater(openTestLibrary(await newFolder()));
    const name = `${server.host}/team/tiny:1b`;
    const options = { insecure: true, signal: new AbortController().signal, report: () => undefined };
    await library.copy('ember', name, options.signal);
    await expect(library[way](`http://${name}`, options)).rejects.toMatchObject({
      code: 'upstream-failed',
      message: expect.stringContaining(`${server.host} names an address that cannot be read`),
    });
  },
);

const login = { user: 'ann', password: 'with space, comma' };

async function loginFile(host: string, password = login.password): Promise<string> {
  const file = path.join(await newFolder(), 'config.json');
  const auth = Buffer.from(`${login.user}:${password}`).toString('base64');
  await writeFile(file, JSON.stringify({ auths: { [`https://${host}/v2/`]: { auth } }, credsStore: 'x' }));
  return file;
}

test.each([
  ['by Basic', {}],
  ['for a token', { requireToken: true }],
])('a registry that asks for a login %s gets it from the login file', async (_, options) => {
  const { registry, name, shownName } = await arrange({ login, ...options });
  const registryAuthFile = await loginFile(registry.host);
  const library = closeLater(openTestLibrary(await newFolder(), { registryAuthFile }));
  await pullWith(library, name);
  expect(await library.catalogue.find(shownName)).toBeDefined();
  const sent = registry.requests.filter((one) => one.headers.authorization?.startsWith('Basic '));
  expect(sent.length).toBeGreaterThan(0);
});

/** A registry that sends to the other one for tokens. */
async function arrangeWithRealm(options: TestRegistryOptions = {}) {
  const { registry: other } = await arrange({ requireToken: true, login });
  const realm = `${other.url}/token`;
  const { registry, name } = await arrange({ requireToken: true, login, realm, ...options });
  const pull = async (loginFor: { readonly host: string }) => {
    const registryAuthFile = await loginFile(loginFor.host);
    const library = closeLater(openTestLibrary(await newFolder(), { registryAuthFile, ...trust }));
    await expect(pullWith(library, name)).rejects.toMatchObject({ code: 'upstream-failed' });
  };
  return { registry, other, pull };
}

test('a registry that names another one as its place for tokens gets none by the login for that other one', async () => {
  const { registry, other, pull } = await arrangeWithRealm();
  await pull(other);
  expect(other.requests.length).toBeGreaterThan(0);
  for (const one of [...other.requests, ...registry.requests]) {
    expect(one.headers.authorization).toBeUndefined();
  }
});

test('the login for a registry opens its place for tokens on another host, and no other login does', async () => {
  const { registry, other, pull } = await arrangeWithRealm();
  await pull(registry);
  expect(other.requests.map((one) => one.headers.authorization?.split(' ')[0])).toEqual(['Basic']);
});

test('the login for a registry with TLS is not sent to a place for tokens without it', async () => {
  const { registry, other, pull } = await arrangeWithRealm({ certificate });
  await pull(registry);
  expect(other.requests.length).toBeGreaterThan(0);
  for (const one of other.requests) expect(one.headers.authorization).toBeUndefined();
});

test('without a login, and with a wrong one, the registry and the way out are named', async () => {
  const { registry, library, name } = await arrange({ login });
  await expect(pullWith(library, name)).rejects.toMatchObject({
    code: 'upstream-failed',
    message: expect.stringContaining('HEARTH_REGISTRY_AUTH_FILE'),
  });
  const registryAuthFile = await loginFile(registry.host, 'wrong-password');
  const wrong = closeLater(openTestLibrary(await newFolder(), { registryAuthFile }));
  const refused = pullWith(wrong, name);
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('401') });
  await expect(refused).rejects.toMatchObject({ message: expect.not.stringContaining('wrong-password') });
});

test('a login file that cannot be read is named, and nothing of it is shown', async () => {
  const { registry, name } = await arrange({ login });
  const registryAuthFile = path.join(await newFolder(), 'config.json');
  await writeFile(registryAuthFile, '{"auths": secret');
  const library = closeLater(openTestLibrary(await newFolder(), { registryAuthFile }));
  const refused = pullWith(library, name);
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(registryAuthFile) });
  await expect(refused).rejects.toMatchObject({ message: expect.not.stringContaining('secret') });
  expect(registry.requests).toHaveLength(1);
});

test('a push sends the login too, and says when it is refused', async () => {
  const source = await arrange({});
  const target = closeLater(await startTestRegistry({ login }));
  const registryAuthFile = await loginFile(target.host);
  const library = closeLater(openTestLibrary(await newFolder(), { registryAuthFile }));
  source.registry.add('team/tiny:1b', { model: ggufBytes(), config: '{}' });
  await pullWith(library, source.name);
  const signal = new AbortController().signal;
  const copy = `${target.host}/team/tiny:1b`;
  await library.copy(source.shownName, copy, signal);
  await library.push(`http://${copy}`, { insecure: true, signal, report: () => undefined });
  expect([...target.manifests.keys()]).toEqual(['team/tiny:1b']);
  const wrong = closeLater(
    openTestLibrary(await newFolder(), { registryAuthFile: await loginFile(target.host, 'wrong') }),
  );
  await pullWith(wrong, source.name);
  await wrong.copy(source.shownName, copy, signal);
  const refused = wrong.push(`http://${copy}`, { insecure: true, signal, report: () => undefined });
  await expect(refused).rejects.toMatchObject({
    message: expect.stringContaining('the login for it is wrong'),
  });
});
