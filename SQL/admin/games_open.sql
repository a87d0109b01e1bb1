-- games_open: the games in which whoever knows a device id speaks for the device.
-- returns String
select g.slug from game g where g.classic = 'open' order by g.slug
