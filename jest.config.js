import { availableParallelism } from 'node:os';

// Tests are split by what they need: a file's ending names its project.
//   x.test.ts          unit        nothing
//   x.db.test.ts       database    a real Postgres, started by the run
//   x.model.test.ts    with-model  the bundled model in a real engine process
//   x.browser.test.ts  browser     Chromium, and the real Postgres
const shared = {
  testEnvironment: 'node',
  roots: ['<rootDir>/apps', '<rootDir>/packages', '<rootDir>/scripts', '<rootDir>/test'],
  modulePathIgnorePatterns: ['/dist/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript', tsx: true }, target: 'es2022' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

const withPostgres = {
  globalSetup: '<rootDir>/apps/vault/test/start-postgres.mjs',
  globalTeardown: '<rootDir>/apps/vault/test/stop-postgres.mjs',
};

const kinds = ['db', 'model', 'browser'];

export default {
  // A hang must end some time; how fast a busy machine is, is no test's business.
  testTimeout: 30_000,
  // Suites wait for processes and disks as much as for the processor, so two cores carry two; more than four would
  // want more connections than the one Postgres of a run has.
  maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [
        ...shared.testPathIgnorePatterns,
        ...kinds.map((kind) => `\\.${kind}\\.test\\.ts$`),
      ],
    },
    {
      ...shared,
      displayName: 'database',
      testMatch: ['**/*.db.test.ts'],
      ...withPostgres,
    },
    { ...shared, displayName: 'with-model', testMatch: ['**/*.model.test.ts'] },
    { ...shared, displayName: 'browser', testMatch: ['**/*.browser.test.ts'], ...withPostgres },
  ],
};
