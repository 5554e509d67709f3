-- Where the chain of an account begins once its oldest events were removed: the last of them and its hash.
create table audit_checkpoints (
  user_id uuid primary key,
  last_id bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  removed bigint not null check (removed > 0),
  at timestamptz(3) not null default now()
);

-- Finds old events without reading the whole log; events come in the order of time, so the smallest kind will do.
create index audit_at on audit_events using brin (at);

-- Events go only where a checkpoint stands for them, so that nothing is removed without a trace.
create or replace function audit_immutable() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select 1 from audit_checkpoints c where c.user_id = old.user_id and old.id <= c.last_id) then
      return old;
    end if;
  end if;
  raise exception 'audit_events is append-only';
end
$$;
