import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type EnvironmentLimits, environmentsIn, limitsAfterRename } from './environment-limits.js';

type Limits = EnvironmentLimits & { readonly vaultIds: readonly string[] | null };

const limits = (
  environments: readonly string[] | null,
  vaultIds: readonly string[] | null = null,
): Limits => ({
  environments,
  environmentRenames: null,
  vaultIds,
});
const rename = (before: Limits, vaultId: string, from: string, to: string): Limits => ({
  ...before,
  ...limitsAfterRename(before, vaultId, { from, to }),
});

describe('after a rename', () => {
  test('a token of several vaults reaches the environment by its new name there, and by the old one elsewhere', () => {
    const after = rename(limits(['staging', 'prod']), 'v1', 'staging', 'qa');
    expect(environmentsIn(after, 'v1')).toEqual(['qa', 'prod']);
    expect(environmentsIn(after, 'v2')).toEqual(['staging', 'prod']);
    expect(after.environments).toEqual(['staging', 'prod']);
  });

  test('a token of that vault alone simply has the new name', () => {
    expect(limitsAfterRename(limits(['staging'], ['v1']), 'v1', { from: 'staging', to: 'qa' })).toEqual({
      environments: ['qa'],
      environmentRenames: null,
    });
  });

  test('a token that was limited to the new name does not get what now has it', () => {
    for (const vaultIds of [null, ['v1']]) {
      const after = rename(limits(['qa'], vaultIds), 'v1', 'prod', 'qa');
      expect(environmentsIn(after, 'v1')).toEqual([]);
      expect(environmentsIn(rename(after, 'v1', 'qa', 'prod'), 'v1')).toEqual(['qa']);
    }
  });

  test('a token without a limit, or with other names, needs no change', () => {
    expect(limitsAfterRename(limits(null), 'v1', { from: 'staging', to: 'qa' })).toBeUndefined();
    expect(limitsAfterRename(limits(['prod']), 'v1', { from: 'staging', to: 'qa' })).toBeUndefined();
  });

  test('renaming back leaves no trace', () => {
    const there = rename(limits(['staging', 'qa']), 'v1', 'staging', 'qa');
    expect(rename(there, 'v1', 'qa', 'staging')).toEqual(limits(['staging', 'qa']));
  });

  test('a name such as constructor is a name like others', () => {
    const after = rename(limits(['constructor', 'prod']), 'v1', 'prod', 'qa');
    expect(environmentsIn(after, 'v1')).toEqual(['constructor', 'qa']);
  });
});

test('however environments are renamed, a token reaches just those that it reached before', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const name = fc.constantFrom(...names);
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(null, ['v1'], ['v1', 'v2']),
      fc.array(fc.tuple(fc.nat(3), name), { maxLength: 8 }),
      (allowed, existing, vaultIds, renames) => {
        // By identity: the place in this list. Its name changes.
        const environments = [...existing];
        let token = limits(allowed, vaultIds);
        const reached = () => {
          const slugs = environmentsIn(token, 'v1') ?? [];
          return environments.map((slug) => slugs.includes(slug));
        };
        const before = reached();
        for (const [index, to] of renames) {
          const from = environments[index];
          if (from === undefined || environments.includes(to)) continue;
          token = rename(token, 'v1', from, to);
          environments[index] = to;
        }
        expect(reached()).toEqual(before);
        if (vaultIds?.length !== 1) expect(environmentsIn(token, 'v2')).toEqual(allowed);
      },
    ),
  );
});
