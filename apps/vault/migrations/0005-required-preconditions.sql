-- Whether a change of a secret in this vault must say what it replaces.
alter table vaults add column requires_preconditions boolean not null default false;
