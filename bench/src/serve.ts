import { createServer } from 'node:http';

import { serviceOn } from '../../apps/service/testing/service-on.ts';
import type { ServiceOnOptions } from '../../apps/service/testing/service-on.ts';

/** Runs in a process of its own: what is measured does not share a thread with who measures it. */
export type ServeOrder =
  | { readonly kind: 'service'; readonly options: ServiceOnOptions }
  | {
      readonly kind: 'bare';
      readonly headers: Readonly<Record<string, string>>;
      /** base64 */
      readonly bytes: string;
    };

process.once('message', (order: ServeOrder) => {
  void start(order).then((port) => process.send?.({ port }));
});
process.on('disconnect', () => process.exit());

async function start(order: ServeOrder): Promise<number> {
  if (order.kind === 'service') return (await serviceOn(order.options)).port;
  const body = Buffer.from(order.bytes, 'base64');
  const headers = { ...order.headers, 'content-length': body.length };
  const server = createServer((_request, response) => {
    response.writeHead(200, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  return address.port;
}
