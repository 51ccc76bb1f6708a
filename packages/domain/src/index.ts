export * from './ascii-digits.ts';
export * from './clinic-time.ts';
export * from './clinic-zone-check.ts';
export { ZONE_DATA_VERSION } from './clinic-zone.generated.ts';
export * from './file-faults.ts';
export * from './files.ts';
export * from './map-link.ts';
export * from './mailed-links.ts';
export * from './pages.ts';
export * from './plain-text.ts';
export * from './sheet-text.ts';
export * from './statutory-holidays.ts';
export * from './typed-day.ts';
export * from './unseen-text.ts';

export * from './booking/appointment-type.ts';
export * from './booking/day-template.ts';
export * from './booking/booking-window.ts';
export * from './booking/doctor-choice.ts';
export * from './booking/hold.ts';
export * from './booking/questions.ts';
export * from './booking/slot-search.ts';
export * from './booking/specified-types.ts';
export * from './booking/free-starts.ts';

export * from './appointments/appointment-state.ts';
export * from './appointments/appointment.ts';
export * from './appointments/attendance.ts';
export * from './appointments/calendar-file.ts';
export * from './appointments/cancellation-policy.ts';
export * from './appointments/closing.ts';
export * from './appointments/overrides.ts';
export * from './appointments/reservation.ts';
export type { ByStaff, ReservationFacts, SlotFacts } from './appointments/why-not-offered.ts';
export * from './appointments/sections.ts';
export * from './appointments/undo.ts';

export * from './fees/fee-policies.ts';

export * from './identity/access.ts';
export * from './identity/address-standing.ts';
export * from './identity/unsure-chart.ts';
export * from './identity/likely-names.ts';
export * from './identity/forms.ts';
export * from './identity/health-number.ts';
export * from './identity/identity.ts';
export * from './identity/names.ts';
export * from './identity/password-rules.ts';
export * from './identity/phone.ts';
export * from './identity/near-names.ts';
export * from './identity/sounds.ts';

export * from './medical/countries.ts';
export * from './medical/medical-profile.ts';

export * from './payment/fee-at-clinic.ts';
export * from './payment/money.ts';
export * from './payment/payment-step.ts';
export * from './payment/practice-card.ts';

export * from './privacy/agreement-text.ts';
export * from './privacy/retention.ts';

export * from './staff/find-patients.ts';
export * from './staff/harm-limits.ts';
export * from './staff/permissions.ts';
export * from './staff/patient-details.ts';
