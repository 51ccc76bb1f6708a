import type { DemographicNo, ProviderNo } from './alphabets.ts';
import { OscarFault, OscarInvalid, OscarOutcomeUnknown } from './errors.ts';
import type { Link } from './link.ts';
import { fieldsOf, isTrue, textOf } from './reading.ts';
import { instantOfDate } from './wall-clock.ts';
import { assertFits, assertStorable, columns } from './writing.ts';

interface TicklerDraft {
  /** Stored in the text as [key], because OSCAR's answer has no number for the tickler. */
  readonly key: string;
  readonly demographicNo: DemographicNo;
  readonly assignedTo: ProviderNo;
  readonly text: string;
  /** 'YYYY-MM-DD'. */
  readonly due: string;
}

interface DocumentDraft {
  readonly demographicNo: DemographicNo;
  readonly fileName: string;
  readonly contentType: string;
  readonly description: string;
  readonly source: string;
  readonly bytes: Uint8Array;
}

/** Thirteen megabytes take a clinic's line longer than any other call. */
const DOCUMENT_PATIENCE = 4;

export function ticklerCalls({ rest }: Link) {
  return {
    /**
     * REST only: SOAP has no ticklers. OSCAR answers no number, and nothing more is asked after the write: a
     * failure then would look as if the tickler had not been stored.
     */
    async addTickler(draft: TicklerDraft): Promise<void> {
      const message = `${draft.text} [${draft.key}]`;
      assertStorable(message, 'text');
      const answer = await rest.call({
        call: 'tickler/add',
        path: '/tickler/add',
        writes: true,
        body: {
          message,
          demographicNo: Number(draft.demographicNo),
          taskAssignedTo: draft.assignedTo,
          priority: 'Normal',
          status: 'A',
          serviceDate: instantOfDate(draft.due),
        },
      });
      if (answer === null) throw new OscarOutcomeUnknown('The tickler was answered with nothing');
      if (!isTrue(fieldsOf(answer).success)) throw new OscarFault('OSCAR did not take the tickler');
    },

    /** REST only. Never repeat the call: each one adds the file to the patient's record again. */
    async storeDocument(draft: DocumentDraft): Promise<void> {
      const { fileName, contentType, description, source } = draft;
      assertFits({ fileName, contentType, description, source }, columns.document);
      if (/[\\/]/.test(fileName)) throw new OscarInvalid('A file name has no folders');
      const answer = await rest.call({
        call: 'saveDocumentToDemographic',
        path: '/document/saveDocumentToDemographic',
        writes: true,
        patience: DOCUMENT_PATIENCE,
        body: {
          type: 'others',
          fileName,
          contentType,
          description,
          source,
          numberOfPages: 1,
          demographicNo: Number(draft.demographicNo),
          // In nobody's inbox.
          providerNo: '',
          fileContents: Buffer.from(draft.bytes).toString('base64'),
        },
      });
      const { id } = (answer ?? {}) as { readonly id?: unknown };
      if (!/^[1-9]\d*$/.test(textOf(id)))
        throw new OscarOutcomeUnknown('The document was answered without its number');
    },
  };
}
