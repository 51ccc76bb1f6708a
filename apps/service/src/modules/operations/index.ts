export { announceMaintenance, endMaintenance } from './announce.ts';
export { registerAvailability, watchAvailability } from './availability-routes.ts';
export { type Availability, availabilityNow } from './availability.ts';
export { type CancelledDay, cancelDay, dayToCancel } from './cancel-day.ts';
export { registerConfig } from './config-routes.ts';
export { STATISTICS_COLUMNS, statistics } from './statistics.store.ts';
