// Which language the page speaks: what one chose, else the hub's, else the
// browser's.

import type { Language } from '../feed/types';
import { keep, kept } from '../parts/keep';
import { en, type Text } from './en';
import { ja } from './ja';

const TEXTS: Record<Language, Text> = { en, ja };

export function chosenLanguage(): Language | null {
  const said = kept('language');
  return said === 'ja' || said === 'en' ? said : null;
}

export function chooseLanguage(language: Language): void {
  keep('language', language);
}

export function browserLanguage(): Language {
  return navigator.language.startsWith('ja') ? 'ja' : 'en';
}

export const textOf = (language: Language): Text => TEXTS[language];
export type { Text };
