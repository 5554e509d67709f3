import { type Scope, scopeNames } from '@hearth/protocol-types/vault/scope';

export interface ScopeDescription {
  readonly name: Scope;
  readonly group: string;
  readonly title: string;
  /** What someone who holds it can do, in plain words. */
  readonly effect: string;
}

export interface ScopePreset {
  readonly id: string;
  readonly title: string;
  readonly effect: string;
  readonly scopes: readonly Scope[];
}

const descriptions: Readonly<Record<Scope, Omit<ScopeDescription, 'name'>>> = {
  'vaults:read': {
    group: 'Vaults',
    title: 'See vaults',
    effect: 'can list your vaults and their environments',
  },
  'vaults:write': {
    group: 'Vaults',
    title: 'Manage vaults',
    effect: 'can make, rename and delete vaults and environments; none of it if limited to environments',
  },
  'secrets:list': {
    group: 'Secrets',
    title: 'See names',
    effect: 'can list the names, notes and tags of secrets, but no value',
  },
  'secrets:read': {
    group: 'Secrets',
    title: 'Read values',
    effect: 'can read the current value of every secret',
  },
  'secrets:write': {
    group: 'Secrets',
    title: 'Write values',
    effect: 'can add secrets, change their values and names, and move them between folders',
  },
  'secrets:delete': {
    group: 'Secrets',
    title: 'Delete and restore',
    effect:
      'can put secrets into the trash and take them out again; together with Write values, move them to another environment',
  },
  'versions:read': {
    group: 'Secrets',
    title: 'See history',
    effect: 'can see when and by whom each version was written; their values only together with Read values',
  },
  'secrets:rollback': {
    group: 'Secrets',
    title: 'Roll back',
    effect: 'can bring an older version back without being able to read it',
  },
  'export:read': {
    group: 'Files',
    title: 'Export',
    effect: 'can download all values of an environment as one file',
  },
  'import:write': { group: 'Files', title: 'Import', effect: 'can add and change secrets from a file' },
  'audit:read': {
    group: 'Account',
    title: 'Read the audit log',
    effect: 'can see who did what, and when; not if limited to vaults or environments',
  },
  'tokens:read': {
    group: 'Account',
    title: 'See tokens',
    effect:
      'can check whether a token is live, and list your tokens (never their values); no list if limited to vaults or environments',
  },
  'models:use': {
    group: 'Model server',
    title: 'Use models',
    effect: 'can run every model of a model server that trusts this vault',
  },
  'models:manage': {
    group: 'Model server',
    title: 'Manage models',
    effect: 'can download, make and delete models of a model server that trusts this vault',
  },
};

export const scopeDescriptions: readonly ScopeDescription[] = scopeNames.map((name) => ({
  name,
  ...descriptions[name],
}));

const allVaultScopes = scopeNames.filter((name) => !name.startsWith('models:'));

export const scopePresets: readonly ScopePreset[] = [
  {
    id: 'read-only',
    title: 'Read only (CI)',
    effect: 'can read every value it is given, and change nothing',
    scopes: ['secrets:read'],
  },
  {
    id: 'read-write',
    title: 'Read and write',
    effect: 'can read, add, change, move, delete and restore secrets',
    scopes: [
      'secrets:read',
      'secrets:write',
      'secrets:delete',
      'versions:read',
      'secrets:rollback',
      'import:write',
    ],
  },
  {
    id: 'deploy',
    title: 'Deploy',
    effect: 'can read and download the values of an environment; choose one environment below',
    scopes: ['secrets:read', 'export:read'],
  },
  {
    id: 'models',
    title: 'Model server',
    effect: 'can run models, and sees no secret',
    scopes: ['models:use'],
  },
  { id: 'full', title: 'Full', effect: 'can do everything a token can', scopes: allVaultScopes },
];

/**
 * What a scope brings with it: a secret cannot be used without finding its vault, nor read without its name. Rows
 * keep the scopes as they were chosen and the version of this map that held then, so that a later version never
 * widens a token that exists.
 */
const implicationVersions: readonly Readonly<Partial<Record<Scope, readonly Scope[]>>>[] = [
  {
    'vaults:write': ['vaults:read'],
    'secrets:list': ['vaults:read'],
    'secrets:read': ['vaults:read', 'secrets:list'],
    'secrets:write': ['vaults:read'],
    'secrets:delete': ['vaults:read'],
    'versions:read': ['vaults:read'],
    'secrets:rollback': ['vaults:read'],
    'export:read': ['vaults:read'],
    'import:write': ['vaults:read'],
    'models:manage': ['models:use'],
  },
];

export const currentImplications = implicationVersions.length;

export function impliedScopes(scope: Scope, version = currentImplications): readonly Scope[] {
  return implicationVersions[version - 1]?.[scope] ?? [];
}

/** The chosen scopes with all they imply, in the order of the list. */
export function effectiveScopes(chosen: readonly string[], version = currentImplications): readonly Scope[] {
  const held = new Set<string>(chosen);
  for (const scope of scopeNames) {
    if (held.has(scope)) for (const implied of impliedScopes(scope, version)) held.add(implied);
  }
  return scopeNames.filter((scope) => held.has(scope));
}
