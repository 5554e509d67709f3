/**
 * By vault: which environment a name in a token's list stands for there, since that one was renamed. null: none at
 * all. A name that is not written here stands for the environment of that name.
 */
export type EnvironmentRenames = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

/** A token may be limited to environments by name, in every vault that it reaches. */
export interface EnvironmentLimits {
  /** Slugs; null: every environment. */
  readonly environments: readonly string[] | null;
  readonly environmentRenames: EnvironmentRenames | null;
}

/** The slugs that count in this vault; null: every environment. */
export function environmentsIn(limits: EnvironmentLimits, vaultId: string): readonly string[] | null {
  return limits.environments?.flatMap((name) => slugFor(limits, vaultId, name) ?? []) ?? null;
}

/**
 * The limits by which a token reaches the same environments of a vault after one was renamed as before, no more and no
 * fewer, and which are as they were in every other vault. Undefined where they need no change.
 */
export function limitsAfterRename(
  limits: EnvironmentLimits & { readonly vaultIds: readonly string[] | null },
  vaultId: string,
  { from, to }: { readonly from: string; readonly to: string },
): EnvironmentLimits | undefined {
  const { environments, environmentRenames, vaultIds } = limits;
  if (environments === null) return undefined;
  const renamed = environments.map((name): [string, string | null] => {
    const slug = slugFor(limits, vaultId, name);
    if (slug === from) return [name, to];
    // The name was free until now, and what has it now is not what this token was made for.
    if (slug === to) return [name, null];
    // What this name was kept away from has left it.
    if (slug === null && name === from) return [name, name];
    return [name, slug];
  });
  if (renamed.every(([name, slug]) => slug === slugFor(limits, vaultId, name))) return undefined;
  const { [vaultId]: _replaced, ...others } = environmentRenames ?? {};
  const slugs = [...new Set(renamed.flatMap(([, slug]) => slug ?? []))];
  // A token of one vault needs no note of what its names stand for there: they are the new names.
  if (vaultIds?.length === 1 && slugs.length > 0) {
    return { environments: slugs, environmentRenames: orNull(others) };
  }
  const own = Object.fromEntries(renamed.filter(([name, slug]) => name !== slug));
  const kept = Object.keys(own).length === 0 ? others : { ...others, [vaultId]: own };
  return { environments, environmentRenames: orNull(kept) };
}

function slugFor({ environmentRenames }: EnvironmentLimits, vaultId: string, name: string): string | null {
  const own = environmentRenames !== null ? (environmentRenames[vaultId] ?? {}) : {};
  return Object.hasOwn(own, name) ? (own[name] ?? null) : name;
}

function orNull(renames: EnvironmentRenames): EnvironmentRenames | null {
  return Object.keys(renames).length === 0 ? null : renames;
}
