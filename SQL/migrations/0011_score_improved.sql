-- score improved: whether the post made its player's standing better when it was recorded; a retry is told the same.
alter table score add column improved boolean not null default false;
alter table score alter column improved drop default;
