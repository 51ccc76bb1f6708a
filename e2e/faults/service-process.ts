import { onOscar } from '../../apps/service/testing/on-oscar.ts';
import { serviceOn } from '../../apps/service/testing/service-on.ts';
import type { ServiceOrders } from './clinic/service-child.ts';
import { isTwist, apply } from './defects.ts';

// One service process of a fault run: node service-process.ts '<orders as JSON>'.
const {
  defect,
  oscar,
  config = {},
  ...orders
} = JSON.parse(process.argv[2] ?? '{}') as ServiceOrders;
if (isTwist(defect)) apply(defect);

const instead = oscar === undefined ? {} : onOscar(oscar, defect);
const { port } = await serviceOn({ ...orders, config, cards: true, instead });
// Nobody is left to serve when the run is gone.
process.on('disconnect', () => process.exit(1));
process.send?.({ port });
