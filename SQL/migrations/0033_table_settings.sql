-- table settings: how autovacuum treats the tables that grow, whatever their size. Its own shares of a table, a fifth
-- of it dead and a tenth of it changed, are days or weeks of posts where a table is large. TableSettingsTests has the
-- list of all tables; the article Operating has the figures.
-- compatible since: 29

-- Every post makes a new version of a row of these. A standing's goes into both of its indexes.
alter table wallet set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
alter table standing set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
alter table tally set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
alter table post_times set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- Rows are added to these and stay as they are. So many new ones are marked as seen by all, and as old, at a time, and
-- a vacuum against the wrap-around of transaction ids, which comes at the worst of times, finds nothing left to do.
-- Freezing a row wrote 14 bytes of log soon after it was added, and 119 after the next checkpoint.
alter table score set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02);
alter table past_score set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02);
alter table donation set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02);
alter table past_donation set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02);
alter table correction set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02);
alter table log_entry set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02);
