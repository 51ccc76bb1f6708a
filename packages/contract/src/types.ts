import type { z } from 'zod';
import type { Calls } from './index.ts';
import type { doctorStatusEntry, scheduleDay } from './doctors.ts';
import type { fieldError, refusal } from './envelope.ts';
import type { appointment, appointmentTypeEntry, doctor, user } from './me.ts';
import type { agreementKind } from './demographics.ts';
import type { medicalProfile } from './medical-profile.ts';
import type { attachment, messageEntry, messageSummary, messageThread } from './messages.ts';
import type { pharmacy } from './pharmacies.ts';
import type { CallId } from './routes.ts';
import type { bookingAnswers, bookingResult, hold } from './schedule.ts';
import type { clinicConfig } from './services.ts';

/** The shapes on the API, as types: all that the browser takes from the schemas. */
export type ApiUser = z.infer<typeof user>;
export type ApiAppointmentType = z.infer<typeof appointmentTypeEntry>;
export type ApiDoctor = z.infer<typeof doctor>;
export type ApiDoctorStatus = z.infer<typeof doctorStatusEntry>;
export type ApiScheduleDay = z.infer<typeof scheduleDay>;
export type ApiAppointment = z.infer<typeof appointment>;
export type ApiHold = z.infer<typeof hold>;
export type ApiAnswers = z.infer<typeof bookingAnswers>;
export type ApiBookingResult = z.infer<typeof bookingResult>;
export type ClinicConfig = z.infer<typeof clinicConfig>;
export type ApiPharmacy = z.infer<typeof pharmacy>;
export type ApiMedicalProfile = z.infer<typeof medicalProfile>;
export type ApiMessage = z.infer<typeof messageSummary>;
export type ApiMessageThread = z.infer<typeof messageThread>;
export type ApiMessageEntry = z.infer<typeof messageEntry>;
export type ApiAttachment = z.infer<typeof attachment>;
export type AgreementKind = z.infer<typeof agreementKind>;
export type ApiRefusal = z.infer<typeof refusal>;
export type ApiFieldError = z.infer<typeof fieldError>;

type Part<C, Key extends string> = C extends { readonly [K in Key]: infer S extends z.ZodType }
  ? z.input<S>
  : undefined;

/** What a caller hands over; parts that a call does not have are absent. */
export type CallInput<Id extends CallId> = OmitUndefined<{
  params: Part<Calls[Id], 'params'>;
  query: Part<Calls[Id], 'query'>;
  headers: Headers<Calls[Id]>;
  body: Part<Calls[Id], 'body'>;
}>;

/** A call that needs a key is not made without its key. */
type Headers<C> = C extends { readonly idempotency: 'key' }
  ? Part<C, 'headers'> & { readonly 'idempotency-key': string }
  : Part<C, 'headers'>;

/** Calls that may be sent again when no answer came. */
export type RepeatableId = {
  [Id in CallId]: Calls[Id]['idempotency'] extends 'none' ? never : Id;
}[CallId];

export type CallAnswer<Id extends CallId> = z.output<Calls[Id]['answer']>;

type OmitUndefined<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] };

export type { LiveEvents, SlotChange } from './live.ts';
