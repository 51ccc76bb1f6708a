/** Words of the booking flow (§2 Booking steps 1 to 3, booked). */
export const booking = {
  'booking.title': 'Book Appointment',
} as const;
