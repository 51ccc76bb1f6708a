/** XML as it goes to OSCAR and comes back: values stay texts, prefixes and attributes go. */
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';

const lists = new Set(['return', 'timeSlots']);
const parser = new XMLParser({
  ignoreAttributes: true,
  removeNSPrefix: true,
  parseTagValue: false,
  // Java writes characters such as a carriage return as numbers.
  htmlEntities: true,
  ignoreDeclaration: true,
  isArray: (name) => lists.has(name),
});
const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@' });

/** Undefined where the text is no XML, as a firewall's page. */
export function parseXml(text: string): unknown {
  return XMLValidator.validate(text) === true ? (parser.parse(text) as unknown) : undefined;
}

export const buildXml = (value: object): string => builder.build(value);
