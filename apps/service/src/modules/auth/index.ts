export { registerAuth } from './routes.ts';
export { dashboardSignature } from './dashboard-link.ts';
export { deviceCookie, guessLimits, knownGuesser } from './device.ts';
export { DEVICE_KNOWN_FOR, forgetDevices } from './known-devices.store.ts';
