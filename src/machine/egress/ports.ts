/**
 * Ports of protocols other than HTTP: mail, shells, name servers, file servers. A browser calls none of them
 * either (Fetch standard, 2.9, port blocking).
 */
const portsOfOtherProtocols: readonly number[] = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
];

/**
 * Ports of data stores, caches, queues and the control of containers. Many answer without a password inside a
 * network, and some of them read commands out of an HTTP request. All are below the range of clients, 32,768
 * (ip(7)), so that a port that a system gives out is none of them. Names: IANA, Service Name and Transport
 * Protocol Port Number Registry; those without an entry: the manual of the product.
 */
const portsOfInfrastructure: Readonly<Record<string, readonly number[]>> = {
  "SQL Server, Oracle, Firebird, MySQL": [1433, 1434, 1521, 2483, 2484, 3050, 3306],
  "PostgreSQL and PgBouncer": [5432, 5433, 6432],
  "MongoDB, CouchDB": [27_017, 27_018, 27_019, 5984, 6984],
  Cassandra: [7000, 7001, 9042, 9142, 9160],
  "Neo4j, Elasticsearch and OpenSearch, CockroachDB": [7473, 7474, 7687, 9200, 9300, 26_257],
  "Redis with its cluster and Sentinel, memcached": [6379, 6380, 16_379, 26_379, 11_211],
  "MQTT, NATS, AMQP and RabbitMQ, Kafka": [1883, 8883, 4222, 5671, 5672, 15_672, 25_672, 9092],
  "ZooKeeper, etcd, Consul": [2181, 2379, 2380, 8300, 8301, 8302, 8500, 8501, 8600],
  "Docker and its swarms": [2375, 2376, 2377, 4243, 7946],
  Kubernetes: [6443, 10_248, 10_249, 10_250, 10_255, 10_256, 10_257, 10_259],
};

/** Ports to which no call goes. */
export const closedPorts: ReadonlySet<number> = new Set([
  ...portsOfOtherProtocols,
  ...Object.values(portsOfInfrastructure).flat(),
]);
