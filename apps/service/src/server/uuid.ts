const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a uuid column can be asked for it; any other text is an unknown id. */
export const isUuid = (text: string): boolean => SHAPE.test(text);
