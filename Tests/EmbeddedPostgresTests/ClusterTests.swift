import Testing

/// Tests that run PostgreSQL itself: one at a time, because the machine has few cores and each starts a cluster.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ClusterTests {}
