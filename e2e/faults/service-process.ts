import { onOscar } from '../../apps/service/testing/on-oscar.ts';
import { serviceOn } from '../../apps/service/testing/service-on.ts';
import { SENT_ELSEWHERE, type ServiceOrders } from './clinic/service-child.ts';
import { isTwist, apply } from './defects.ts';

// One service process of a fault run: node service-process.ts '<orders as JSON>'.
const {
  defect,
  oscar,
  config = {},
  endsWhenTold,
  ...orders
} = JSON.parse(process.argv[2] ?? '{}') as ServiceOrders;
const defects = defect?.split(', ') ?? [];
for (const each of defects) if (isTwist(each)) apply(each);

const instead = oscar === undefined ? {} : onOscar(oscar, defects);
// However slow the machine, the balancer has heard that it ends, and nothing open is cut off.
const told = new Promise((sent) =>
  process.on('message', (word) => word === SENT_ELSEWHERE && sent(word)),
);
const ending = endsWhenTold ? { sentElsewhere: () => told, graceMs: 600_000 } : undefined;
const { port } = await serviceOn({ ...orders, config, cards: true, instead, ending });
// Nobody is left to serve when the run is gone.
process.on('disconnect', () => process.exit(1));
process.send?.({ port });
