import { ordersModelSuite } from '../http/orders-model.ts';
import { createCluster, createDatabase } from '../support/postgres.ts';

const server = await createCluster();
await server.start();

ordersModelSuite(() => createDatabase(server), 20);
