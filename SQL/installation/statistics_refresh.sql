-- statistics_refresh: plans made on empty, never analysed tables are several times slower until autovacuum comes by.
analyze
