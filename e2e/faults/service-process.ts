import { setTimeout as pause } from 'node:timers/promises';

import { serviceOn } from '../../apps/service/testing/service-on.ts';
import type { ServiceOrders } from './clinic/service-child.ts';
import { isTwist, plant } from './defects.ts';

// One service process of a fault run: node service-process.ts '<orders as JSON>'.
const { databaseUrl, keys, defect } = JSON.parse(process.argv[2] ?? '{}') as ServiceOrders;
if (isTwist(defect)) plant(defect);

/** A balancer asks at least this often. */
const STILL_TAKES_REQUESTS_MS = 2000;

const service = await serviceOn({ databaseUrl, keys });
process.on('SIGTERM', () => {
  void (async () => {
    service.beginClosing();
    await pause(STILL_TAKES_REQUESTS_MS);
    await service.close();
    process.exit(0);
  })();
});
// Nobody is left to serve when the run is gone.
process.on('disconnect', () => process.exit(1));
process.send?.({ port: service.port });
