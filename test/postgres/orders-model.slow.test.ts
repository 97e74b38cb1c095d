import { ordersModelSuite } from '../http/orders/orders-model.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';

const server = await createCluster();
await server.start();

ordersModelSuite(() => createDatabase(server), 20);
