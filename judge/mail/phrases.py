"""What mail programs write around a text in many languages: who wrote, heads of quotes, advertising."""

# Read, never written; folded (lower case).  Sources: the programs' own translations as seen in mails, and the
# threads named in the research notes (1.4).


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(phrase.strip() for phrase in " ".join(text.split()).split(",") if phrase.strip()))


WROTE = _phrases("""
    wrote, writes, napsal, napsala, napsal(a), napsal/a, napísal, napísala, napísal(a), píše, ezt írta, írta, a
    következőt írta, пишет, писал, писала, писал(а), написал, написала, написал(а), пише, написав, schrieb, schrieben,
    geschrieben, a écrit, écrit, napisał, napisała, napisał(a), pisze, ha scritto, escribió, escreveu, schreef, skrev,
    kirjoitti, a scris, je napisao, je napisala, je napisal, написа, έγραψε, yazdı, rašė
""")

FROM = _phrases("""
    from, od, feladó, küldő, от, от кого, від, von, de, da, nadawca, odesílatel, odosielateľ, van, från, fra, lähettäjä,
    expéditeur, mittente, remitente
""")

SENT = _phrases("""
    sent, date, datum, odesláno, posláno, datum odeslání, odoslané, dátum, elküldve, küldve, küldés dátuma, дата,
    отправлено, дата отправки, надіслано, gesendet, gesendet am, envoyé, envoyé le, wysłano, wysłane, data, inviato,
    enviado, enviada, fecha, verzonden, skickat, sendt, sent at, päivämäärä
""")

TO = _phrases("""
    to, komu, pro, címzett, кому, an, à, do, a, para, aan, till, til, cc, kopie, kópia, másolatot kap, másolat, копия,
    dw, kopia, bcc, reply-to, reply to, odpovědět, courriel, pour, vastaanottaja
""")

SUBJECT = _phrases("""
    subject, předmět, predmet, tárgy, тема, betreff, objet, temat, oggetto, asunto, assunto, onderwerp, ämne, emne,
    aihe, importance, důležitost, attachments, přílohy, mellékletek, вложения, anlagen
""")

DIVIDERS = _phrases("""
    original message, forwarded message, begin forwarded message, reply message, forwarded by, původní zpráva,
    přeposlaná zpráva, původní e-mail, pôvodná správa, preposlaná správa, začátek přeposlané zprávy, eredeti üzenet,
    továbbított üzenet, továbbított levél, eredeti levél, исходное сообщение, пересланное сообщение, пересылаемое
    сообщение, оригинальное сообщение, первоначальное сообщение, конец пересылаемого сообщения, начало переадресованного
    сообщения, вихідне повідомлення, ursprüngliche nachricht, weitergeleitete nachricht, originalnachricht,
    original-nachricht, ursprüngliche mail, anfang der weitergeleiteten nachricht, message d'origine, message original,
    message transféré, message initial, début du message transféré, wiadomość oryginalna, oryginalna wiadomość,
    wiadomość przekazana dalej, przekazana wiadomość, treść przekazanej wiadomości, początek przekazywanej wiadomości,
    messaggio originale, messaggio inoltrato, mensaje original, mensaje reenviado, mensagem original, mensagem
    encaminhada, oorspronkelijk bericht, doorgestuurd bericht, ursprungligt meddelande, vidarebefordrat meddelande,
    opprinnelig melding
""")

# The advertising of telephones and programs: a beginning, and a word that must follow on the same line.
FOOTER_BEGINNINGS = _phrases("""
    sent from, sent via, sent with, sent using, get outlook, download outlook, odesláno, posláno, odeslané, odoslané,
    získejte outlook, získať outlook, stáhnout outlook, elküldve, küldve, az outlook, szerezze be, a levelet, az
    üzenetet, отправлено, отправлена, надіслано, скачать outlook, получить outlook, загрузить outlook, von meinem, von
    meiner, gesendet, diese nachricht wurde von, holen sie sich outlook, outlook für, envoyé, télécharger outlook,
    obtenir outlook, wysłane, wysłano, pobierz outlook, pobierz aplikację outlook, uzyskaj outlook, inviato, scarica
    outlook, ottieni outlook, enviado, enviada, obtener outlook, obter o outlook, verzonden, verstuurd, skickat från,
    sendt fra, lähetetty, trimis de pe, poslano
""")

FOOTER_WORDS = _phrases("""
    iphon, ipad, ipod, android, outlook, yahoo, samsung, galaxy, huawei, xiaomi, redmi, honor, blackberry, windows,
    mail, mobile, mobil, phone, smartphone, tablet, handy, telefon, телефон, устройства, смартфон, seznam, email.cz,
    gmx, web.de, proton, thunderbird, spark, nokia, pixel, oneplus, mailbird, k-9, fairemail, aqua, aol, icloud, почт,
    mac, eszköz, készülék, zařízení, device, gerät, appareil, urządzenia, mobilní, aplikac, app, superhuman, workspace,
    hey, mimestream, canary
""")

# Patterns of how the subject of an automatic answer begins; a colon follows.
AUTO_SUBJECTS = _phrases(r"""
    automatic reply, auto(?:matic)?[- ]?(?:response|reply|responder), out of (?:the )?office, automatick[áa]
    odpov[ěe][ďd], nep[řr][íi]tomnost, mimo kancel[áa][řr], automatikus v[áa]lasz, h[áa]zon k[íi]v[üu]l, t[áa]voll[ée]t,
    автоматический ответ, автоответ, вне офиса, отсутствую на рабочем, автоматична відповідь, automatische antwort,
    abwesenheits, abwesend, r[ée]ponse automatique, absence du bureau, odpowied[źz] automatyczna, autoodpowied[źz], poza
    biurem, risposta automatica, fuori sede, respuesta autom[áa]tica, fuera de la oficina, resposta autom[áa]tica,
    automatisch antwoord, afwezig, autosvar, automatiskt svar
""")

# Patterns that only a report of failure has in its subject, or a report in words in its text.
FAILED = _phrases(r"""
    undeliver, delivery (?:status|failure|has failed|failed), returned (?:mail|to sender), mail delivery
    (?:failed|failure|error), failure notice, could not be delivered, wasn.?t delivered, delivery incomplete, message
    (?:blocked|not delivered), warning: (?:message|could not send), nedoru[čc], nelze doru[čc]it, vr[áa]cen[áa]
    zpr[áa]va, k[ée]zbes[íi]t, не ?доставлен, возвращ[её]н, невозможно доставить, unzustellbar, zustellung, non remis,
    [ée]chec de (?:la )?remise, niedostarcz, nie dostarczono, nie można dostarczyć, non recapitabil, mancato recapito,
    no se pudo entregar, n[ãa]o entregue, onbestelbaar
""")

DELAYED = _phrases(r"""
    delay, still (?:trying|being retried), not yet been delivered, no action is required, will (?:continue|be retried)
""")
