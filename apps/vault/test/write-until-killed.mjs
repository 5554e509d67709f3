import { createLogger } from '@hearth/service-kit/logger';
import pg from 'pg';
import { openEmbeddedPostgres } from '../dist/db/embedded/embedded-postgres.js';

// Opens the embedded Postgres in the folder it is told and writes numbers, saying each one once it is committed.

// As a vault does when it is told to stop a second time.
process.on('SIGTERM', () => process.exit(143));
const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
const { connection } = await openEmbeddedPostgres(process.argv[2], logger);
const client = new pg.Client(connection);
await client.connect();
await client.query('drop table if exists numbers; create table numbers (n int primary key)');
for (let number = 1; ; number += 1) {
  await client.query('insert into numbers values ($1)', [number]);
  process.send(number);
}
