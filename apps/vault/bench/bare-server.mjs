import express from 'express';
import pg from 'pg';

// What the vault is measured against: Express and the same indexed query, with nothing around them. Whoever calls
// says whose vaults to list.
const connection = JSON.parse(process.argv[2]);
const pool = new pg.Pool({ ...connection, max: 10 });
const query = {
  name: 'bare_vaults',
  text: `select id, name, is_encrypted, created_at from vaults
         where owner_id = $1 and deleted_at is null order by created_at, id limit 101`,
};
const app = express();
app.get('/api/secrets/vaults', async (request, response) => {
  const { rows } = await pool.query({ ...query, values: [request.headers['x-owner']] });
  response.json(rows);
});
const server = app.listen(0, '127.0.0.1', () =>
  process.send({ kind: 'ready', url: `http://127.0.0.1:${server.address().port}` }),
);
