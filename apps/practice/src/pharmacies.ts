import type { pharmacy } from '@clinic/service/schema.ts';

/** Name, street, city and postal code; every one invented, and every number of the fictitious 555-01xx. */
const PHARMACIES: readonly (readonly [name: string, street: string, place: string])[] = [
  ['Harbour Light Pharmacy', '118 Cordova Quay', 'Vancouver, BC V6B 1A1'],
  ['Kitsilano Corner Drugs', '2207 Yewtree Street', 'Vancouver, BC V6K 2B2'],
  ['Main and Maple Pharmacy', '3390 Maple Row', 'Vancouver, BC V5V 3C3'],
  ['Gastown Apothecary', '41 Steamclock Lane', 'Vancouver, BC V6B 4D4'],
  ['Fraser Village Pharmacy', '5123 Village Walk', 'Vancouver, BC V5W 5E5'],
  ['Marpole Family Pharmacy', '8702 Orchard Street', 'Vancouver, BC V6P 6G6'],
  ['Commercial Lane Drugs', '1644 Larkspur Lane', 'Vancouver, BC V5L 7H7'],
  ['Point Heron Pharmacy', '4410 Heron Avenue', 'Vancouver, BC V6R 8J8'],
  ['Metro Willow Pharmacy', '4820 Willowbank Way', 'Burnaby, BC V5H 1K1'],
  ['Brentwood Gate Drugs', '1901 Gatehouse Road', 'Burnaby, BC V5C 2L2'],
  ['Lougheed Pines Pharmacy', '9605 Pinecrest Drive', 'Burnaby, BC V3J 3M3'],
  ['Deer Lake Apothecary', '6344 Lakeview Path', 'Burnaby, BC V5G 4N4'],
  ['Royal Quayside Pharmacy', '810 Quayside Steps', 'New Westminster, BC V3M 5P5'],
  ['Sapperton Hill Drugs', '402 Brewery Rise', 'New Westminster, BC V3L 6R6'],
  ['Steveston Wharf Pharmacy', '12011 Cannery Street', 'Richmond, BC V7E 1S1'],
  ['Blundell Park Drugs', '8140 Parkside Road', 'Richmond, BC V6Y 2T2'],
  ['Bridgeport Market Pharmacy', '9022 Market Gate', 'Richmond, BC V6X 3V3'],
  ['Tsawwassen Sands Pharmacy', '1255 Sandpiper Way', 'Delta, BC V4L 4W4'],
  ['Ladner Landing Drugs', '4873 Landing Street', 'Delta, BC V4K 5X5'],
  ['Guildford Cedar Pharmacy', '15220 Cedarwood Avenue', 'Surrey, BC V3R 6Y6'],
  ['Newton Crossing Drugs', '7301 Crossing Street', 'Surrey, BC V3W 7Z7'],
  ['Cloverdale Mill Pharmacy', '17640 Millstone Road', 'Surrey, BC V3S 8A8'],
  ['Semiahmoo Bay Pharmacy', '1512 Bayview Crescent', 'White Rock, BC V4B 9B9'],
  ['Walnut Grove Drugs', '20988 Walnut Avenue', 'Langley, BC V1M 1C2'],
  ['Fort Bend Pharmacy', '9111 Riverbend Street', 'Langley, BC V1M 2E3'],
  ['Port Moody Inlet Pharmacy', '2640 Inlet Walk', 'Port Moody, BC V3H 3G4'],
  ['Burke Mountain Drugs', '1330 Mountain Ash Way', 'Coquitlam, BC V3E 4H5'],
  ['Mary Hill Pharmacy', '1860 Hilltop Drive', 'Port Coquitlam, BC V3C 5J6'],
  ['Lonsdale Steps Pharmacy', '133 Funicular Lane', 'North Vancouver, BC V7M 6K7'],
  ['Ambleside Shore Drugs', '1477 Shoreline Avenue', 'West Vancouver, BC V7T 7L8'],
];

export const pharmacyRows = (): (typeof pharmacy.$inferInsert)[] =>
  PHARMACIES.map(([name, street, place], n) => {
    const number = String(100 + n).padStart(4, '0');
    return {
      id: `ph-${String(n + 1).padStart(2, '0')}`,
      name,
      address: `${street}, ${place}`,
      phone: `604-555-${number}`,
      fax: `778-555-${number}`,
    };
  });
