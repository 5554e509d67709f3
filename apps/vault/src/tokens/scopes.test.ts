import { scopeNames } from '@hearth/protocol-types/vault/scope';
import { expect, test } from '@jest/globals';
import { effectiveScopes, impliedScopes, scopeDescriptions, scopePresets } from './scopes.js';

test('every scope says in plain words what its holder can do', () => {
  expect(scopeDescriptions.map((scope) => scope.name)).toEqual([...scopeNames]);
  for (const scope of scopeDescriptions) expect(scope.effect).toMatch(/^can /);
});

test('reading values brings names and vaults with it, and nothing that writes', () => {
  expect(effectiveScopes(['secrets:read'])).toEqual(['vaults:read', 'secrets:list', 'secrets:read']);
});

test('rolling back does not let anyone read', () => {
  expect(effectiveScopes(['secrets:rollback'])).toEqual(['vaults:read', 'secrets:rollback']);
});

test('a scope for the model server opens no vault', () => {
  expect(effectiveScopes(['models:use'])).toEqual(['models:use']);
});

test('an implied scope implies nothing more than its bearer does, so one pass is enough', () => {
  for (const scope of scopeNames) {
    const direct = [scope, ...impliedScopes(scope)];
    expect(new Set(effectiveScopes(effectiveScopes([scope])))).toEqual(new Set(direct));
  }
});

test('presets hold only scopes that exist, and a scope that does not exist counts for nothing', () => {
  for (const preset of scopePresets) expect(scopeNames).toEqual(expect.arrayContaining([...preset.scopes]));
  expect(effectiveScopes(['secrets:everything', '*'])).toEqual([]);
});
