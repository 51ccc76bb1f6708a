export { announceMaintenance, endMaintenance } from './announce.ts';
export { type Availability, availabilityNow } from './availability.ts';
export { registerAvailability, watchAvailability } from './routes.ts';
