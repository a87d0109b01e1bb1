-- room for post times: each post to a board that goes by times makes a new version of such a row, and of no index. With
-- room for some beside it a page is seldom searched for what can go.
-- compatible since: 29
alter table post_times set (fillfactor = 50);
