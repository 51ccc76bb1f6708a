/** Words of the choice of a time. */
export const slots = {
  'booking.provider': 'Provider {name}',
  'booking.nextDay': 'Next Day',
  'booking.nextDays': 'Next 5 Days',
  'booking.dayBefore': 'Previous Day',
  'booking.daysBefore': 'Previous 5 Days',
  'booking.scrollDown': 'Please scroll down to view more.',
  'booking.patience': 'Please be patient. This may take a while.',
  'booking.freeOn': 'Available times on {day}',
  'booking.freeFrom': 'Available times from {from} to {to}',
  'booking.noneOn': 'Nothing is available on {day}. These are the next times.',
  'booking.noneFrom': 'Nothing is available from {from} to {to}. These are the next times.',
  'booking.clinicTime': 'All times are BC time.',
  'booking.freeCount': '{count, plural, one {# time available.} other {# times available.}}',
  'booking.columns': 'Show one day or provider',
  'booking.columnCount': '{count}',
  'booking.columnMore': '{count, plural, one {time available} other {times available}}',
  'booking.morning': 'Morning',
  'booking.afternoon': 'Afternoon',
  'booking.evening': 'Evening',
  'booking.noTimes': 'No times available',
  'booking.chip': '{time}, {day}, {provider}',
  'booking.chipTaken': '{time}, {day}, {provider}, no longer available',
  'booking.chipEnd': 'to {end}',
  'booking.chipLasting': '{time} {end}, {length}',
  'booking.chipLastingBy': '{time} {end}, {length}, {mode}',
  'booking.chipKeys': 'Use the arrow keys to move between the times in a column.',
  'booking.empty':
    'There are no appointments available for the parameters you selected. Please choose another day, doctor or appointment type.',
  'booking.noneOnDay':
    'No appointments available on {date}. Do you want to search for an appointment on a DIFFERENT day?',
  'booking.noneInRange':
    'No appointments available on {date}. Do you want to search for an appointment on a DIFFERENT date range?',
  'booking.range': '{from} - {to}',
  'booking.searchFailed': "We couldn't load the available times.",
  'booking.primaryUnknown':
    "We couldn't check your family doctor at our clinic, so doctors who only see patients with an active doctor at our clinic are not shown.",
} as const;
