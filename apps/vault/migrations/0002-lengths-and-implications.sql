-- Values are padded before they are sealed so that their length stays secret; a column must not tell it again. How a
-- value is encoded is sealed with it.
alter table secret_versions drop column byte_length;
alter table secret_versions drop column encoding;

-- Which version of the map of implied scopes held when a token was made: a later map never widens it.
alter table api_tokens add column implications int not null default 1 check (implications > 0);
