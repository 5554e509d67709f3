-- Who reported a token as leaked, which revoked it, and where it was found; never the token.
alter table api_tokens add column leak_reported_by text check (leak_reported_by in ('github', 'anonymous'));
alter table api_tokens add column leak_url text check (leak_url is null or leak_reported_by is not null);
