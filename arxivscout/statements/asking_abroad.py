"""How one asks of oneself in German, French and Spanish; English and Italian are in `asking`."""

from __future__ import annotations

GERMAN = r"""
(?:(?:und|aber|also) )?(?:(?:warum|weshalb|wieso|wann|seit wann|bis wann|wo|wofür|womit|woran|wer
 |mit wem|was|wie lange|wie oft|welche[rsnm]?)(?: \w+){0,2} )?
 (?:(?:benutze|verwende|nutze|benutzte|verwendete|nutzte|arbeite|arbeitete|forsche|forschte
 |studiere|studierte|wohne|lebe|bevorzuge|meide|vermeide|programmiere|lehre|unterrichte|leite) ich
 |(?:benutzen|verwenden|nutzen) wir\b(?=\s+(?:noch|eigentlich|immer))
 |(?:habe|hatte) ich (?=.*\b(?:benutzt|verwendet|genutzt|gearbeitet|geforscht|studiert|gewohnt
 |aufgegeben|aufgehört|gewechselt|ersetzt|angefangen|begonnen|entschieden|beschlossen|gewählt
 |abgelehnt|verlassen|verworfen|bevorzugt|zugang|zugriff|die erlaubnis)\b)
 |(?:haben|hatten) wir (?=.*\b(?:aufgegeben|aufgehört|gewechselt|ersetzt|entschieden|beschlossen
 |gewählt|verworfen|abgelehnt)\b)
 |(?:bin|war) ich (?=.*\b(?:umgestiegen|gewechselt|gegangen|berechtigt|befugt|noch|angestellt
 |beschäftigt)\b)|(?:darf|durfte) ich)\b
|(?:wer|was|wann|wo|wie|bis wann|seit wann|welche[rsnm]?)(?: \w+)?
\s(?:ist|sind|war|waren|heißt|heißen|endet|beginnt)
(?: (?:jetzt|denn|eigentlich|noch|nochmal))* (?:mein|unser)\w* \w
|wie heiße ich\b
"""
FRENCH = r"""
(?:(?:et|mais|alors|donc) )?(?:(?:pourquoi|quand|où|depuis quand|combien de temps|avec qui|pour qui
 |sur quoi|avec quoi|qui|que|quoi|quels?|quelles?)(?: \w+){0,2} |qu['’])?
 (?:est-ce que? |est-ce qu['’])?
 (?:j['’]utilis(?:e|ais)|utilis(?:é|ais|e)-je|j['’]emploie|je (?:travaill(?:e|ais)|programm(?:e|ais)
 |préf(?:ère|érais)|vis|enseign(?:e|ais)|suis (?:passée?|autorisée?|encore|inscrite?))
 |travaill(?:é|ais)-je|j['’](?:étudi(?:e|ais)|évit(?:e|ais)|habit(?:e|ais))
 |(?:ai-je|j['’]ai|avons-nous|nous avons|on a) (?:déjà |jamais |finalement |vraiment )?(?:décidé
 |choisi|abandonné|laissé|changé|arrêté|utilisé|employé|quitté|commencé|remplacé|travaillé|accès
 |le droit)|(?:suis-je|étais-je|sommes-nous) (?:déjà |encore )?(?:passée?s?|autorisée?s?|inscrite?
 |à|au)|ai-je (?:le droit|accès)|puis-je encore)(?![\w])
|(?:et |mais )?(?:qui|quand|où|comment|à quelle date|quels?|quelles?)(?: \w+)?
\s(?:est|sont|était|étaient|s['’]appelle|s['’]appellent|finit|commence)
(?: (?:maintenant|encore|déjà))* (?:mon|ma|mes|notre|nos) \w
|comment (?:je m['’]appelle|m['’]appelle-je|est-ce que je m['’]appelle)(?!\w)
"""
SPANISH = r"""
(?:(?:y|pero|entonces) )?(?:(?:por qué|cuándo|dónde|desde cuándo|hasta cuándo|cuánto tiempo
 |con quién|para quién|en qué|con qué|quién|qué|cuál(?:es)?)(?: \w+){0,2} )?
 (?:(?:yo|todavía|aún|ya|nunca|aun) )*(?:no )?
 (?:uso(?! d[ei])|usaba|usé|usamos|usábamos|utilizo|utilizaba|utilicé|trabajo(?! sobre)|trabajaba
 |trabajé|prefiero|prefería|evito|evitaba|vivo|vivía|enseño|enseñaba|programo|programaba|dejé|dejamos
 |abandoné|cambié|cambiamos|pasé|decidí|decidimos|elegí|elegimos|empecé
 |(?:me|nos) (?:pasé|cambié|cambiamos)
 |(?:he|hemos) (?:decidido|elegido|usado|utilizado|dejado|abandonado|cambiado|empezado|trabajado)
 |tengo (?:permiso|acceso|derecho)|estoy (?:autorizad[oa]|usando|trabajando)|puedo seguir)\b
|¿?cómo me llamo\b
|(?:y |pero )?¿?(?:quién|quiénes|cuándo|dónde|cómo|cuál(?:es)?|qué)(?: \w+)?
\s(?:es|son|era|eran|está|se llama|se llaman|termina|empieza|vence)
(?: (?:ahora|ya|todavía))* (?:mis?|nuestr\w+) \w
"""
