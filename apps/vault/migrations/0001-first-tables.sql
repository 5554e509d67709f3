create table users (
  id uuid primary key default gen_random_uuid(),
  display_name text not null check (length(display_name) between 1 and 200),
  email text,
  email_verified boolean not null default false,
  avatar_url text,
  created_at timestamptz(3) not null default now(),
  disabled_at timestamptz(3)
);

create table identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users(id) on delete cascade,
  provider text not null check (provider in ('github', 'google')),
  provider_user_id text not null check (length(provider_user_id) between 1 and 255),
  username text,
  email text,
  email_verified boolean not null default false,
  created_at timestamptz(3) not null default now(),
  last_login_at timestamptz(3),
  unique (provider, provider_user_id)
);
create index identities_user on identities(user_id);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  sid_hash bytea not null unique check (octet_length(sid_hash) = 32),
  user_id uuid not null references users(id) on delete cascade,
  identity_id uuid,
  ip inet,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  authenticated_at timestamptz(3) not null default now(),
  idle_expires_at timestamptz(3) not null,
  absolute_expires_at timestamptz(3) not null
);
create index sessions_user on sessions(user_id);
create index sessions_idle on sessions(idle_expires_at);
create index sessions_absolute on sessions(absolute_expires_at);

create table master_keys (
  id text primary key check (id ~ '^mk_[a-z0-9]{8,32}$'),
  fingerprint bytea not null unique,
  state text not null check (state in ('active', 'retired')),
  created_at timestamptz(3) not null default now(),
  retired_at timestamptz(3)
);
create unique index master_keys_one_active on master_keys((true)) where state = 'active';

create table vaults (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references users(id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  is_personal boolean not null default false,
  is_encrypted boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  revision bigint not null default 1
);
create unique index vaults_name on vaults(owner_id, lower(name)) where deleted_at is null;
create unique index vaults_personal on vaults(owner_id) where is_personal and deleted_at is null;

create table vault_keys (
  id uuid primary key default gen_random_uuid(),
  vault_id uuid not null references vaults(id) on delete cascade,
  version int not null check (version > 0),
  master_key_id text not null references master_keys(id),
  wrapped bytea check (octet_length(wrapped) = 61),
  encryptions bigint not null default 0,
  state text not null check (state in ('active', 'decrypt_only', 'destroyed')),
  created_at timestamptz(3) not null default now(),
  unique (vault_id, version),
  check ((state = 'destroyed') = (wrapped is null))
);
create unique index vault_keys_one_active on vault_keys(vault_id) where state = 'active';
create index vault_keys_master on vault_keys(master_key_id);

create table environments (
  id uuid primary key default gen_random_uuid(),
  vault_id uuid not null references vaults(id) on delete cascade,
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  position int not null default 0,
  parent_id uuid,
  unique (vault_id, slug),
  unique (vault_id, id),
  foreign key (vault_id, parent_id) references environments(vault_id, id)
);

create table secrets (
  id uuid primary key default gen_random_uuid(),
  vault_id uuid not null references vaults(id) on delete cascade,
  environment_id uuid not null,
  path text not null default '/' check (path ~ '^/([A-Za-z0-9_.-]{1,64}/)*$' and length(path) <= 512),
  key text not null check (key ~ '^[A-Za-z_][A-Za-z0-9_]{0,254}$'),
  note text,
  tags text[] not null default '{}',
  current_version int not null default 1 check (current_version > 0),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  foreign key (vault_id, environment_id) references environments(vault_id, id) on delete cascade
);
create unique index secrets_key on secrets(vault_id, environment_id, path, key) where deleted_at is null;
create index secrets_page on secrets(vault_id, environment_id, path, key, id);

create table secret_versions (
  secret_id uuid not null references secrets(id) on delete cascade,
  version int not null check (version > 0),
  vault_key_id uuid not null references vault_keys(id),
  ciphertext bytea,
  value_mac bytea,
  encoding text not null default 'utf8' check (encoding in ('utf8', 'base64')),
  byte_length int not null,
  created_by_kind text not null check (created_by_kind in ('user', 'token', 'system')),
  created_by_id uuid,
  source text not null default 'write' check (source in ('write', 'rollback', 'import', 'rewrap')),
  restored_from int,
  created_at timestamptz(3) not null default now(),
  destroyed_at timestamptz(3),
  primary key (secret_id, version),
  check ((destroyed_at is null) = (ciphertext is not null))
);
create index secret_versions_key on secret_versions(vault_key_id);

create table api_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users(id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  last_four text not null check (length(last_four) = 4),
  scopes text[] not null check (cardinality(scopes) between 1 and 32),
  vault_ids uuid[],
  environment_slugs text[],
  ip_allow cidr[],
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_ip inet,
  last_used_ua text,
  use_count bigint not null default 0,
  revoked_at timestamptz(3),
  revoked_reason text,
  rotated_to uuid references api_tokens(id),
  check (expires_at is null or expires_at > created_at)
);
create unique index api_tokens_name on api_tokens(user_id, lower(name)) where revoked_at is null;
create index api_tokens_user on api_tokens(user_id, created_at desc, id);

create table audit_events (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  at timestamptz(3) not null default now(),
  actor_kind text not null check (actor_kind in ('user', 'token', 'system')),
  actor_id uuid,
  actor_label text,
  action text not null,
  outcome text not null check (outcome in ('success', 'denied', 'error')),
  target_kind text,
  target_id uuid,
  target_label text,
  vault_id uuid,
  ip inet,
  user_agent text,
  request_id uuid not null,
  meta jsonb not null default '{}',
  prev_hash bytea,
  hash bytea not null
);
create index audit_user_page on audit_events(user_id, id desc);
create index audit_target on audit_events(target_id, id desc);

create table idempotency_keys (
  principal uuid not null,
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null,
  status int,
  response_enc bytea,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (principal, key)
);
create index idempotency_keys_expiry on idempotency_keys(expires_at);

create function audit_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'audit_events is append-only';
end
$$;
create trigger audit_no_change before update or delete on audit_events
  for each row execute function audit_immutable();
create trigger audit_no_truncate before truncate on audit_events
  for each statement execute function audit_immutable();
