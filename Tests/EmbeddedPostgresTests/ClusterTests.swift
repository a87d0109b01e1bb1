import Testing

/// Tests that run PostgreSQL. They run one at a time, because the machine may have few cores and each starts a cluster.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ClusterTests {}
