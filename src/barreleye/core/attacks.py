"""Attack tables, filled once at import; lookups are inline in the header."""
import cython
from cython.cimports.barreleye.core.attacks import (
    BETWEEN, BISHOP_MAGICS, BISHOP_TABLE, KING_ATTACKS, KNIGHT_ATTACKS, LINE, PAWN_ATTACKS, ROOK_MAGICS, ROOK_TABLE,
    Magic, bishop_attacks, fill_magics, fill_steppers, fill_lines, rook_attacks, slide, step,
)
from cython.cimports.barreleye.core.bitboard import HAS_PEXT, bit, file_bb, pext, popcount, rank_bb
from cython.cimports.barreleye.core.types import BLACK, SQUARES, WHITE, Bitboard, file_of, make_square, rank_of

# Factors that spread each square's relevant blockers over its part of the table without a clash.
BISHOP_FACTORS = (
    0x10102002004A1420, 0x8020040400584008, 0x10510800811201C8, 0x5204042080000088,
    0x2204106880000002, 0x1401042004000000, 0x0400880410042004, 0x0028208200A02020,
    0x1500241990010E00, 0x8001200182020A40, 0x40004101030B0000, 0x8002041042000100,
    0x4010011041020038, 0x0000010421044000, 0x1500210808020A00, 0x8000088400880520,
    0x0405004010040100, 0x1005823210040108, 0x2708008102040011, 0x4048200404009100,
    0x0018104101400024, 0x0003000601190101, 0x8004803108491000, 0x8014241200820800,
    0x0006E080100C3040, 0x0501044A11041800, 0x9020300008004045, 0x0894080000220040,
    0x1001010083104000, 0x5004030040900080, 0x000400422C012400, 0x0002128698404812,
    0x1010108404900440, 0x0928021182084100, 0x2006080409020024, 0x1010202020180080,
    0xA010008200202200, 0x2098015100019004, 0x0002041440810811, 0x802A02020000B098,
    0x0009015090004060, 0x4000821082081001, 0x0100210040420800, 0x0800004010488A00,
    0x2000081104004040, 0x4C8E029015000082, 0x0420340322224842, 0x1298260043400210,
    0x0000822802400008, 0x00008A0101600000, 0x3040003412080021, 0x3040290220884800,
    0x4A1500401041004A, 0x8010200282020781, 0x0020203142209091, 0x0070300600902110,
    0x0040808800B62048, 0x0000810400C44420, 0x00080400440C0441, 0x8340080020840411,
    0x0000000104208200, 0x0000800810D00080, 0x0400530411080200, 0x4040702400932244,
)
ROOK_FACTORS = (
    0x1080004008801020, 0x0840092002C03000, 0x1900200010400900, 0x0880100008000480,
    0x4200100420080200, 0x8100020100080400, 0x0200040110886200, 0x0200008040220411,
    0x0404800084400220, 0x0000401000402000, 0x0086001081220440, 0x0408800800100280,
    0x000A001201040820, 0x8848800200840080, 0x4001000100040200, 0x0442000102105084,
    0x9080010020804100, 0x0040404000201009, 0x0000808010002009, 0x2200090021D00100,
    0x0008008008040080, 0x0004004002010040, 0x0011040008015042, 0x00000A0001768104,
    0x0000800080204009, 0x2010004140002001, 0x9800200280100080, 0x1000100080080080,
    0x0442000A00049020, 0x2100040080020080, 0x0800120400900148, 0x0010040A00128541,
    0x2800804000800030, 0x1010002000400041, 0x4000200011004100, 0x0610008410800800,
    0x0400802402800800, 0xC100020080800400, 0x0002000802000401, 0x0182085882000401,
    0x0220204000808000, 0x2860100040024022, 0x0001002004110040, 0x99101042000A0020,
    0x0004080004008080, 0x0010040002008080, 0x2012004881020004, 0x8300842444820011,
    0x0088403882010200, 0x0820400080210100, 0x0110910040A00300, 0x0801100280080480,
    0x0242009008200600, 0x1002000489500200, 0x0040800200010080, 0x0091800041000080,
    0x0000209300488001, 0x04C1002414824001, 0x020020000B001041, 0x7000100004200901,
    0x8002002004100802, 0x30010002084C0007, 0x0888221800813004, 0x4000002840840112,
)


def step(sq: cython.int, files: cython.int, ranks: cython.int) -> Bitboard:
    """The square so many files and ranks away, as a set: empty when that is off the board."""
    file: cython.int = file_of(sq) + files
    rank: cython.int = rank_of(sq) + ranks
    if file < 0 or file > 7 or rank < 0 or rank > 7:
        return 0
    return bit(make_square(file, rank))


def slide(sq: cython.int, occupied: Bitboard, diagonal: cython.bint) -> Bitboard:
    """Slider attacks walked square by square; the tables are made from it."""
    reached: Bitboard = 0
    files: cython.int
    ranks: cython.int
    distance: cython.int
    for files in range(-1, 2):
        for ranks in range(-1, 2):
            if (files != 0 and ranks != 0) != diagonal or (files == 0 and ranks == 0):
                continue
            for distance in range(1, 8):
                square: Bitboard = step(sq, files * distance, ranks * distance)
                reached |= square
                if square == 0 or square & occupied:
                    break
    return reached


def fill_steppers() -> cython.void:
    """Knight, king and pawn attacks."""
    sq: cython.int
    files: cython.int
    ranks: cython.int
    for sq in range(SQUARES):
        for files in range(-2, 3):
            for ranks in range(-2, 3):
                if files * files + ranks * ranks == 5:
                    KNIGHT_ATTACKS[sq] |= step(sq, files, ranks)
                elif (files != 0 or ranks != 0) and abs(files) < 2 and abs(ranks) < 2:
                    KING_ATTACKS[sq] |= step(sq, files, ranks)
        PAWN_ATTACKS[WHITE][sq] = step(sq, -1, 1) | step(sq, 1, 1)
        PAWN_ATTACKS[BLACK][sq] = step(sq, -1, -1) | step(sq, 1, -1)


def fill_magics(magics: cython.pointer[Magic], table: cython.pointer[Bitboard], diagonal: cython.bint) -> cython.void:
    """Give each square its stretch of the table, indexed by PEXT or by the factor its magic already holds."""
    sq: cython.int
    for sq in range(SQUARES):
        edges: Bitboard = ((rank_bb(0) | rank_bb(7)) & ~rank_bb(rank_of(sq))
                           | (file_bb(0) | file_bb(7)) & ~file_bb(file_of(sq)))
        magic: cython.pointer[Magic] = cython.address(magics[sq])
        magic.mask = slide(sq, 0, diagonal) & ~edges
        magic.shift = 64 - popcount(magic.mask)
        magic.attacks = table
        blockers: Bitboard = 0
        while True:
            index: Bitboard = pext(blockers, magic.mask) if HAS_PEXT else (blockers * magic.factor) >> magic.shift
            magic.attacks[index] = slide(sq, blockers, diagonal)
            blockers = (blockers - magic.mask) & magic.mask
            if blockers == 0:
                break
        table += cython.cast(Bitboard, 1) << popcount(magic.mask)


def fill_lines() -> cython.void:
    """LINE and BETWEEN for every pair of squares; BETWEEN of unaligned squares is the second one alone."""
    a: cython.int
    b: cython.int
    for a in range(SQUARES):
        for b in range(SQUARES):
            BETWEEN[a][b] = bit(b)
            if a == b:
                continue
            if bishop_attacks(a, 0) & bit(b):
                LINE[a][b] = bishop_attacks(a, 0) & bishop_attacks(b, 0) | bit(a) | bit(b)
                BETWEEN[a][b] |= bishop_attacks(a, bit(b)) & bishop_attacks(b, bit(a))
            elif rook_attacks(a, 0) & bit(b):
                LINE[a][b] = rook_attacks(a, 0) & rook_attacks(b, 0) | bit(a) | bit(b)
                BETWEEN[a][b] |= rook_attacks(a, bit(b)) & rook_attacks(b, bit(a))


def fill_tables():
    """Fill every table of this module. Import does it; nothing else may."""
    sq: cython.int
    for sq in range(SQUARES):
        BISHOP_MAGICS[sq].factor = BISHOP_FACTORS[sq]
        ROOK_MAGICS[sq].factor = ROOK_FACTORS[sq]
    fill_steppers()
    fill_magics(BISHOP_MAGICS, BISHOP_TABLE, True)
    fill_magics(ROOK_MAGICS, ROOK_TABLE, False)
    fill_lines()


fill_tables()
