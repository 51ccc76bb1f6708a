export * from './control-words.ts';
export * from './formats.ts';
export * from './languages.ts';
export * from './translate.ts';
