import { expect, test } from '@jest/globals';
import { ada, api, givenApi } from '../../test/given-api.js';
import { untilWaiting } from '../../test/until-waiting.js';

givenApi();

test.each([
  ['written', 'PUT', '/secrets/NEW?env=prod', { value: 'x' }],
  ['moved', 'PATCH', '/secrets/OLD?env=dev', { env: 'prod' }],
])(
  'a secret that is %s into an environment just as that goes finds it gone',
  async (_how, method, path, body) => {
    await ada.session('PUT', `${ada.vaultPath}/secrets/OLD?env=dev`, { body: { value: 'x' } });
    const removal = await api.database.pool.connect();
    try {
      await removal.query('begin');
      await removal.query("delete from environments where vault_id = $1 and slug = 'prod'", [
        ada.personalVault.id,
      ]);
      const reply = ada.session(method, ada.vaultPath + path, { body });
      await untilWaiting(1);
      await removal.query('commit');
      expect(await reply).toMatchObject({ status: 404, json: { code: 'not_found' } });
    } finally {
      removal.release();
    }
  },
);
