import CFontconfig
import CFreeType

/// One font of this machine: which characters it has, and its face in FreeType's memory once it is needed. This object
/// is the only owner of both. It must not outlive the library that opened it; ``FontBook`` sees to that.
final class FontFile {
    private let path: String
    private let index: FT_Long
    private let characters: OpaquePointer
    private var face: FT_Face?
    private var cannotOpen = false
    /// The size to which the face is set, in 64ths of a pixel.
    private var size: FT_F26Dot6 = 0

    /// Nil unless the pattern is an outline font of a kind that can be drawn in any size and colour.
    init?(_ pattern: OpaquePointer) {
        var (isOutline, isColored, isVariable): (FcBool, FcBool, FcBool) = (0, 0, 0)
        var index: Int32 = 0
        var path: UnsafeMutablePointer<FcChar8>?
        var characters: OpaquePointer?
        guard FcPatternGetBool(pattern, FC_OUTLINE, 0, &isOutline) == FcResultMatch, isOutline != 0,
            FcPatternGetString(pattern, FC_FILE, 0, &path) == FcResultMatch, let path,
            FcPatternGetCharSet(pattern, FC_CHARSET, 0, &characters) == FcResultMatch,
            let copy = FcCharSetCopy(characters)
        else { return nil }
        self.characters = copy
        self.path = String(cString: path)
        // A variable font is listed again for each of its named styles, by which it can be opened.
        if FcPatternGetBool(pattern, FC_COLOR, 0, &isColored) == FcResultMatch, isColored != 0 { return nil }
        if FcPatternGetBool(pattern, FC_VARIABLE, 0, &isVariable) == FcResultMatch, isVariable != 0 { return nil }
        if FcPatternGetInteger(pattern, FC_INDEX, 0, &index) != FcResultMatch { index = 0 }
        self.index = FT_Long(index)
    }

    deinit {
        if let face { FT_Done_Face(face) }
        FcCharSetDestroy(characters)
    }

    /// The face, set to a size, and its glyph for a character; nil when the font has none.
    func glyph(for scalar: Unicode.Scalar, sizePixels: Double, library: FT_Library) -> (face: FT_Face, id: FT_UInt)? {
        guard FcCharSetHasChar(characters, scalar.value) != 0, let face = opened(library) else { return nil }
        let size = FT_F26Dot6((sizePixels.clamped(1, 1_024) * 64).rounded())
        if size != self.size {
            guard FT_Set_Char_Size(face, 0, size, 72, 72) == 0 else { return nil }
            self.size = size
        }
        let id = FT_Get_Char_Index(face, FT_ULong(scalar.value))
        return id == 0 ? nil : (face, id)
    }

    private func opened(_ library: FT_Library) -> FT_Face? {
        if face == nil, !cannotOpen {
            var opened: FT_Face?
            if FT_New_Face(library, path, index, &opened) == 0 { face = opened } else { cannotOpen = true }
        }
        return face
    }
}
