// The surroundings of the machine of docs/deploy.md, which the page does not set up: a mail server that
// stores what it receives, and a name server with the records that the page tells its reader to publish.
import { createPublicKey } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** The port of the mail server around the machine. */
export const RELAY = 2525;

/** Accepts every email on `RELAY` of this machine and writes it to `folder` as 1.eml, 2.eml and so on. */
export async function keepMail(folder) {
  let count = 0;
  const server = createServer((socket) => {
    let data = null;
    let buffered = '';
    const say = (line) => socket.write(`${line}\r\n`);
    say('220 stand-in');
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      buffered += chunk.toString('latin1');
      for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (data !== null && line !== '.') data += `${line.replace(/^\.\./, '.')}\r\n`;
        else if (data !== null) {
          writeFileSync(join(folder, `${++count}.eml`), data, 'latin1');
          data = null;
          say('250 kept');
        } else if (/^data/i.test(line)) {
          data = '';
          say('354 go on');
        } else if (/^quit/i.test(line)) socket.end('221 bye\r\n');
        else say('250 ok');
      }
    });
  });
  server.listen(RELAY, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const TXT = 16;

/** Answers TXT queries on port 53 of this machine by `texts`, and forwards all others to `upstream`. */
export async function publishRecords(texts, upstream) {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const { name, type, end: questionEnd } = questionOf(query);
    const found = type === TXT ? texts(name) : null;
    if (found !== null) return server.send(answerTo(query, questionEnd, found), port, address);
    const asking = createSocket('udp4');
    const end = () => {
      clearTimeout(patience);
      asking.close();
    };
    // The client asks again by itself.
    const patience = setTimeout(end, 5_000);
    asking.once('error', end);
    asking.once('message', (answer) => {
      end();
      server.send(answer, port, address);
    });
    asking.send(query, 53, upstream);
  });
  server.bind(53, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function questionOf(query) {
  const labels = [];
  let at = 12;
  for (let length = query[at]; length > 0; length = query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** RFC 1035: repeats the question, and adds one TXT record in strings of at most 255 bytes. */
function answerTo(query, end, text) {
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 6);
  head.writeUInt32BE(0, 8);
  const strings = (text.match(/.{1,255}/g) ?? []).map((each) =>
    Buffer.concat([Buffer.from([each.length]), Buffer.from(each, 'latin1')]),
  );
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(TXT, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(Buffer.concat(strings).length, 10);
  return Buffer.concat([head, query.subarray(12, end), record, ...strings]);
}

/** The records that the page says to publish for the emails' domain; `machine` is its root folder. */
export const recordsOfPage = (domain, machine) => (name) => {
  if (name === domain)
    return existsSync(join(machine, 'root/without-spf')) ? 'nothing' : 'v=spf1 mx -all';
  if (name !== `clinic._domainkey.${domain}`) return null;
  const key = createPublicKey(readFileSync(join(machine, 'etc/clinic/dkim.pem'))).export({
    type: 'spki',
    format: 'der',
  });
  return `v=DKIM1; k=rsa; p=${key.toString('base64')}`;
};
