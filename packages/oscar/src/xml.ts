/** XML to and from OSCAR. When read, values stay texts, and prefixes and attributes are dropped. */
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';

const lists = new Set(['return', 'timeSlots']);
const parser = new XMLParser({
  ignoreAttributes: true,
  removeNSPrefix: true,
  parseTagValue: false,
  // Java writes characters such as a carriage return as numeric entities.
  htmlEntities: true,
  ignoreDeclaration: true,
  isArray: (name) => lists.has(name),
});
const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@' });

/** Undefined when the text is not XML, such as a firewall's page. */
export function parseXml(text: string): unknown {
  return XMLValidator.validate(text) === true ? (parser.parse(text) as unknown) : undefined;
}

export const buildXml = (value: object): string => builder.build(value);
