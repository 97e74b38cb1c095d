import { ordersModelSuite } from './orders-model.ts';

ordersModelSuite(async () => 'sqlite::memory:', 40);
