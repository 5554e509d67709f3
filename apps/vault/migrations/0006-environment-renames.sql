-- By vault: which environment a name in a token's list stands for there, since that one was renamed. Null: as it says.
alter table api_tokens add column environment_renames jsonb;
