import { doctorName, formatDay, formatTime, toClinic } from '@clinic/domain';
import type { AppointmentType, ClinicDate } from '@clinic/domain';
import { useQuery } from '@tanstack/react-query';
import { CalendarCheck } from 'lucide-react';
import { t } from '../../messages/t.ts';
import { Button } from '../../shared/ui/button.tsx';
import { doctorOf, type BookingData } from './booking-data.ts';
import { earliestQuery } from './slot-queries.ts';

interface NextAvailableProps {
  data: BookingData;
  type: AppointmentType;
  /** -1 for all doctors (§7). */
  doctorId: string;
  onShow: (date: ClinicDate) => void;
}

/** Where nothing is free: the earliest time of the whole window, and the way to its day. */
export function NextAvailable({ data, type, doctorId, onShow }: NextAvailableProps) {
  const { data: slot } = useQuery(earliestQuery(type.code, doctorId));
  if (!slot) return null;
  const { date } = toClinic(slot.start);
  return (
    <Button
      variant="secondary"
      icon={<CalendarCheck size={20} aria-hidden="true" />}
      onClick={() => onShow(date)}
    >
      {t('booking.nextAvailable', {
        day: formatDay(date),
        time: formatTime(slot.start),
        doctor: doctorName(doctorOf(data, slot.doctor)),
      })}
    </Button>
  );
}
